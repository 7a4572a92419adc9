// heap_sites.cpp -- new and delete in known functions: leaks of objects, arrays, containers, and behind an exception.
//
// Prints a line "FUNCTION BLOCKS REQUESTED SET_ASIDE" for what each function has allocated and the program never frees.
#include <malloc.h>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#define APART __attribute__((noinline))

namespace {

void* volatile g_sink;
std::size_t g_set_aside = 0;

template <class T>
T* left(T* block) {
  g_sink = block;
  g_set_aside += malloc_usable_size(static_cast<void*>(block));
  return block;
}

void tell(const char* function, int blocks, int requested) {
  std::printf("%s %d %d %zu\n", function, blocks, requested, g_set_aside);
  g_set_aside = 0;
}

struct alignas(128) Wide {
  char bytes[640];
};

APART void leak_objects() {
  for (int i = 0; i < 40; ++i) {
    left(new double[500]);
    left(new Wide);
    left(new (std::nothrow) char[700]);
  }
  tell("leak_objects", 120, 40 * (4000 + 640 + 700));
}

APART void throw_behind_allocation(bool is_freed) {
  std::unique_ptr<char[]> owned(new char[3000]);
  g_sink = owned.get();
  if (!is_freed) left(owned.release());
  throw std::runtime_error(std::string(100, 'x'));
}

APART std::vector<std::string> make_texts() {
  std::vector<std::string> texts;
  for (int i = 0; i < 200; ++i) texts.emplace_back(2000, 'x');
  return texts;
}

APART void drop(std::vector<std::string>& texts) { std::vector<std::string>().swap(texts); }

// Is freed behind main(), by a destructor.
std::vector<int> g_lasting;
APART void fill_lasting() { g_lasting.resize(100'000); }

}  // namespace

int main() {
  static char buffer[1 << 16];
  std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  leak_objects();
  for (int i = 0; i < 20; ++i) try {
      throw_behind_allocation(i % 2);
    } catch (const std::exception&) {
    }
  tell("throw_behind_allocation", 10, 30000);
  std::vector<std::string> texts = make_texts();
  drop(texts);
  fill_lasting();
  return 0;
}

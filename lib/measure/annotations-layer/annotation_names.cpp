// annotation_names.cpp -- a table of names that is only ever added to.
#include "measure/annotations-layer/annotation_names.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>

#include "base/text/text_hash.hpp"
#include "measure/annotations-layer/recorder_access.hpp"

namespace tarry::measure {
namespace {

constexpr std::size_t kMostNames = 4096, kSlots = 2 * kMostNames, kMostBytesOfAll = 1 << 20;
constexpr char kNoName[] = "(no name)", kFurtherName[] = "(more annotations)";

// Untouched pages of these take no memory.
char g_texts[kMostBytesOfAll];
std::atomic<std::size_t> g_text_bytes = 0, g_names = 0;
std::atomic<const char*> g_slots[kSlots];

const char* further_name() {
  static std::atomic<bool> has_told = false;
  if (!has_told.exchange(true))
    tell_user("more than 4,096 names of annotated regions: further ones are recorded as one");
  return kFurtherName;
}

const char* copy_of(std::string_view name) {
  if (g_names.fetch_add(1, std::memory_order_relaxed) >= kMostNames) return nullptr;
  const std::size_t begin = g_text_bytes.fetch_add(name.size() + 1, std::memory_order_relaxed);
  if (begin + name.size() + 1 > kMostBytesOfAll) return nullptr;
  std::memcpy(g_texts + begin, name.data(), name.size());  // a zero is behind it
  return g_texts + begin;
}

bool is_full() {
  return g_names.load(std::memory_order_relaxed) >= kMostNames ||
         g_text_bytes.load(std::memory_order_relaxed) >= kMostBytesOfAll;
}

}  // namespace

bool AnnotationText::add_code(char32_t code) {
  if (code >= 0x110000 || (code >= 0xd800 && code < 0xe000)) code = '?';
  const std::size_t further = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  if (length_ + further >= kMostBytes) return false;
  constexpr unsigned kFirst[] = {0, 0xc0, 0xe0, 0xf0};
  text_[length_++] = static_cast<char>(kFirst[further] | code >> (6 * further));
  for (std::size_t left = further; left-- > 0;)
    text_[length_++] = static_cast<char>(0x80 | (code >> (6 * left) & 0x3f));
  return true;
}

AnnotationText& AnnotationText::add(const wchar_t* text) {
  for (; text && *text && !is_full_; ++text) is_full_ = !add_code(static_cast<char32_t>(*text));
  return *this;
}

AnnotationText& AnnotationText::add(const char* text) { return add(text, kMostBytes + 1); }

// A character is not cut through.
AnnotationText& AnnotationText::add(const char* text, std::size_t most) {
  if (!text || is_full_) return *this;
  const std::size_t length = ::strnlen(text, most < kMostBytes + 1 ? most : kMostBytes + 1);
  std::size_t taken = length < kMostBytes - length_ ? length : kMostBytes - length_;
  is_full_ = taken < length;
  while (is_full_ && taken > 0 && (static_cast<unsigned char>(text[taken]) & 0xc0) == 0x80) --taken;
  std::memcpy(text_ + length_, text, taken);
  length_ += taken;
  return *this;
}

// Who adds a name while another thread adds the same has used up the place of one.
const char* kept_name(std::string_view name) {
  if (name.empty()) return kNoName;
  for (std::size_t at = hash_text(name), tried = 0; tried < kSlots; ++at, ++tried) {
    std::atomic<const char*>& slot = g_slots[at % kSlots];
    const char* there = slot.load(std::memory_order_acquire);
    if (!there) {
      const char* const copy = is_full() ? nullptr : copy_of(name);
      if (!copy) break;
      if (slot.compare_exchange_strong(there, copy, std::memory_order_acq_rel)) return copy;
    }
    if (name == there) return there;
  }
  return further_name();
}

bool is_kept_name(const void* name) {
  const auto* const text = static_cast<const char*>(name);
  return text == kNoName || text == kFurtherName || (text >= g_texts && text < g_texts + kMostBytesOfAll);
}

}  // namespace tarry::measure

// loaded_object_test.cpp -- symbol tables of loaded libraries, against dlsym.
#include "measure/core/loaded_object.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace tarry::measure {
namespace {

// The object that `address` belongs to, handed to `look`.
template <class Look>
void look_at_object_of(const void* address, Look look) {
  Dl_info info;
  ASSERT_NE(::dladdr(address, &info), 0);
  struct Visit {
    void* base;
    Look& look;
  } visit{info.dli_fbase, look};
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        Visit& visit = *static_cast<Visit*>(data);
        if (object->dlpi_addr == reinterpret_cast<std::uintptr_t>(visit.base)) visit.look(LoadedObject(*object));
        return 0;
      },
      &visit);
}

void* address_of(const char* name) { return ::dlsym(RTLD_DEFAULT, name); }

TEST(LoadedObject, FindsWhatTheDynamicLinkerFinds) {
  for (const char* name : {"strtol", "mkdir", "pthread_create", "zlibVersion", "puts", "_ZSt9terminatev"}) {
    const LoadedObject::Definition found = find_loaded(name);
    EXPECT_EQ(found.address, address_of(name)) << name;
    EXPECT_GT(found.size, 0u) << name;
  }
  EXPECT_EQ(find_loaded("there_is_no_such_name").address, nullptr);
}

TEST(LoadedObject, DoesNotTakeAReferenceForADefinition) {
  // The C++ library calls malloc and does not define it.
  int looks = 0;
  look_at_object_of(address_of("_ZSt9terminatev"), [&](const LoadedObject& library) {
    ++looks;
    EXPECT_EQ(library.find("_ZSt9terminatev").address, address_of("_ZSt9terminatev"));
    EXPECT_EQ(library.find("malloc").address, nullptr);
    EXPECT_EQ(library.find("").address, nullptr);
  });
  EXPECT_EQ(looks, 1);
}

TEST(LoadedObject, VisitsTheSlotsThroughWhichALibraryCalls) {
  std::vector<std::string> names;
  look_at_object_of(address_of("_ZSt9terminatev"), [&](const LoadedObject& library) {
    EXPECT_TRUE(library.each_slot([&](const char* name, void** slot) {
      EXPECT_NE(slot, nullptr);
      names.push_back(name);
      return true;
    }));
    EXPECT_FALSE(library.each_slot([](const char*, void**) { return false; }));
  });
  EXPECT_NE(std::find(names.begin(), names.end(), "malloc"), names.end());
}

TEST(LoadedObject, VisitsTheNamesThatALibraryTakesFromOthers) {
  std::vector<std::string> names, called;
  look_at_object_of(address_of("_ZSt9terminatev"), [&](const LoadedObject& library) {
    EXPECT_TRUE(library.each_import([&](const char* name) { return names.push_back(name), true; }));
    EXPECT_FALSE(library.each_import([](const char*) { return false; }));
    library.each_slot([&](const char* name, void**) { return called.push_back(name), true; });
    for (const std::string& name : called)
      if (name.starts_with("pthread_")) {
        EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
      }
    for (const std::string& name : names) EXPECT_EQ(library.find(name.c_str()).address, nullptr) << name;
  });
  EXPECT_NE(std::find(names.begin(), names.end(), "malloc"), names.end());
}

// The test itself shows nothing to others: its table of hashes may be empty.
TEST(LoadedObject, VisitsTheNamesThatAProgramTakesFromOthers) {
  std::vector<std::string> names;
  look_at_object_of(reinterpret_cast<const void*>(&look_at_object_of<void (*)(const LoadedObject&)>),
                    [&](const LoadedObject& program) {
                      program.each_import([&](const char* name) { return names.push_back(name), true; });
                    });
  EXPECT_NE(std::find(names.begin(), names.end(), "dladdr"), names.end());
}

TEST(LoadedObject, VisitsWhatALibraryCanDoWithout) {
  int profilers = 0, others = 0;
  look_at_object_of(address_of("_ZSt9terminatev"), [&](const LoadedObject& library) {
    library.each_weak_reference([&](const char* name, void** reference) {
      if (std::strcmp(name, "malloc") == 0) ++others;
      if (std::strcmp(name, "__gmon_start__") != 0) return;
      ++profilers;
      EXPECT_EQ(*reference, address_of(name));
    });
  });
  EXPECT_EQ(profilers, 1);
  EXPECT_EQ(others, 0);
}

TEST(LoadedObject, WritesASlotThatIsReadOnly) {
  int writes = 0;
  look_at_object_of(address_of("_ZSt9terminatev"), [&](const LoadedObject& library) {
    EXPECT_TRUE(library.each_slot([&](const char* name, void** slot) {
      if (std::strcmp(name, "malloc") != 0) return true;
      ++writes;
      return library.write_slot(slot, *slot);
    }));
  });
  EXPECT_GT(writes, 0);
  delete new int(1);
}

}  // namespace
}  // namespace tarry::measure

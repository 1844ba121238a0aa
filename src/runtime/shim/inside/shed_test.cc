#include "runtime/shim/inside/shed.h"

#include <gtest/gtest.h>

namespace slipway::runtime {

namespace {

std::string mapping(std::string header, std::string dirty, std::string anonymous) {
  return header + "\nSize:  4 kB\nShared_Dirty:   0 kB\nPrivate_Dirty:  " + dirty +
         " kB\nAnonymous:   " + anonymous + " kB\nVmFlags: rd ex mr mw me\n";
}

TEST(FindReloadable, TakesFilesThatNobodyWroteTo) {
  const std::string file = " 00000000 fe:01 123      /usr/lib/x.so";
  const std::string smaps =
      mapping("1000-2000 r--p" + file, "0", "0") + mapping("2000-3000 r-xp" + file, "0", "0") +
      mapping("3000-4000 r--p" + file, "8", "8") + mapping("4000-5000 rw-p" + file, "0", "0") +
      mapping("5000-6000 r--s" + file, "0", "0") +
      mapping("6000-7000 r-xp 00000000 00:00 0      [vdso]", "0", "0") +
      mapping("7000-8000 r--p 00000000 00:00 0 ", "0", "0") +
      mapping("8000-9000 r--p" + file, "0", "4") +
      mapping("7fff00000000-7fff00001000 r-xp" + file, "0", "0");
  EXPECT_EQ(find_reloadable(smaps),
            (std::vector<MemoryRange>{
                {0x1000, 0x2000}, {0x2000, 0x3000}, {0x7fff00000000, 0x7fff00001000}}));
}

TEST(FindReloadable, NothingInNothing) {
  EXPECT_TRUE(find_reloadable("").empty());
  EXPECT_TRUE(find_reloadable("nonsense\n1-2\n").empty());
}

TEST(ShedMemory, TheProgramGoesOn) {
  shed_memory();
  EXPECT_FALSE(find_reloadable("1000-2000 r-xp 0 fe:01 1 /x\n").empty());
}

}  // namespace

}  // namespace slipway::runtime

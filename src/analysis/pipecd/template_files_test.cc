#include "analysis/pipecd/template_files.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/scratch_testing.h"

namespace slipway::analysis {
namespace {

using Paths = std::vector<std::string>;

class TemplateFiles : public testing::Test {
 protected:
  void write(const std::string& path) {
    const std::string whole = root_ + path;
    ASSERT_TRUE(file::make_folder(whole.substr(0, whole.rfind('/')), 0700));
    ASSERT_TRUE(file::write(whole, "{}", 0600));
  }
  const ScratchFolder scratch_;
  const std::string root_ = scratch_.path() + "/";
};

TEST_F(TemplateFiles, LieDirectlyInTheFolderOfTheRepository) {
  for (const char* path : {".git/HEAD", ".pipe/b.yaml", ".pipe/a.yml", ".pipe/c.json",
                           ".pipe/README.md", ".pipe/deep/d.yaml", "apps/shop/app.pipecd.yaml"})
    write(path);
  EXPECT_EQ(*find_template_files(root_ + "apps/shop/app.pipecd.yaml"),
            (Paths{root_ + ".pipe/a.yml", root_ + ".pipe/b.yaml", root_ + ".pipe/c.json"}));
}

TEST_F(TemplateFiles, AreNotLookedForOutsideTheRepository) {
  for (const char* path : {".pipe/a.yaml", "repo/.git/HEAD", "repo/app.pipecd.yaml"}) write(path);
  EXPECT_EQ(*find_template_files(root_ + "repo/app.pipecd.yaml"), Paths{});
}

TEST_F(TemplateFiles, MayBeNone) {
  write("repo/.git/HEAD");
  EXPECT_EQ(*find_template_files(root_ + "repo/app.pipecd.yaml"), Paths{});
  EXPECT_TRUE(find_template_files("app.pipecd.yaml"));
  EXPECT_TRUE(find_template_files("/app.pipecd.yaml"));
}

}  // namespace
}  // namespace slipway::analysis

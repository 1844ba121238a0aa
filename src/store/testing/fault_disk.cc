#include "store/testing/fault_disk.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>

#include "store/testing/fault_vfs.h"

namespace slipway::store {

namespace {
constexpr std::size_t kSector = 512;

void put(std::string& text, std::size_t offset, std::string_view bytes) {
  if (text.size() < offset + bytes.size()) text.resize(offset + bytes.size());
  std::ranges::copy(bytes, text.begin() + static_cast<std::ptrdiff_t>(offset));
}
}  // namespace

FaultDisk::FaultDisk(std::uint64_t seed)
    : random_(seeded_random(seed)),
      name_(fmt::format("fault-disk-{}", fmt::ptr(this))),
      vfs_(std::make_unique<sqlite3_vfs>()) {
  describe_fault_vfs(*vfs_, *this);
  sqlite3_vfs_register(vfs_.get(), 0);
}

FaultDisk::~FaultDisk() { sqlite3_vfs_unregister(vfs_.get()); }

std::size_t FaultDisk::used() const {
  std::size_t bytes = 0;
  for (const auto& [path, image] : files) bytes += image->now.size();
  return bytes;
}

std::string& FaultDisk::content(const std::string& path) { return files.at(path)->now; }

int FaultDisk::count_operation() {
  if (hiccups_ > 0) {
    --hiccups_;
    return SQLITE_IOERR;
  }
  if (left_ == 0) return SQLITE_IOERR;
  if (left_ != std::numeric_limits<std::uint64_t>::max()) --left_;
  return left_ == 0 ? SQLITE_IOERR : SQLITE_OK;
}

int FaultDisk::write(Image& image, std::string bytes, std::size_t offset) {
  std::size_t end = offset + bytes.size();
  if (end > image.now.size() && used() + end - image.now.size() > capacity_) return SQLITE_FULL;
  // A write that fails may have come to something all the same.
  const int result = count_operation();
  if (result == SQLITE_OK) put(image.now, offset, bytes);
  image.unsynced.push_back({offset, std::move(bytes), false});
  return result == SQLITE_OK ? SQLITE_OK : SQLITE_IOERR_WRITE;
}

int FaultDisk::truncate(Image& image, std::size_t size) {
  if (count_operation() != SQLITE_OK) return SQLITE_IOERR_TRUNCATE;
  if (size < image.now.size()) image.now.resize(size);
  image.unsynced.push_back({size, {}, true});
  return SQLITE_OK;
}

int FaultDisk::sync(Image& image) {
  if (count_operation() != SQLITE_OK) return SQLITE_IOERR_FSYNC;
  if (ignores_syncs_) return SQLITE_OK;
  image.synced = image.now;
  image.unsynced.clear();
  image.durable = true;
  return SQLITE_OK;
}

void FaultDisk::replay(Image& image, const Image::Change& change, double chance) {
  if (change.truncate) {
    if (random_->unit() >= chance) {
      ++lost_;
    } else if (change.offset < image.now.size()) {
      image.now.resize(change.offset);
    }
    return;
  }
  std::string_view left = change.bytes;
  std::size_t offset = change.offset;
  while (!left.empty()) {
    std::string_view sector = left.substr(0, kSector - offset % kSector);
    if (random_->unit() < chance)
      put(image.now, offset, sector);
    else
      ++lost_;
    offset += sector.size();
    left.remove_prefix(sector.size());
  }
}

void FaultDisk::lose_power() {
  left_ = std::numeric_limits<std::uint64_t>::max();
  hiccups_ = 0;
  constexpr double kChances[] = {0.0, 0.1, 0.5, 0.9, 1.0};
  for (auto& [path, image] : files) {
    const double chance = kChances[random_->below(std::size(kChances))];
    image->now = image->synced;
    for (const Image::Change& change : image->unsynced) replay(*image, change, chance);
    image->synced = image->now;
    image->unsynced.clear();
  }
  std::erase_if(files,
                [&](const auto& file) { return !file.second->durable && random_->below(2) == 0; });
}

}  // namespace slipway::store

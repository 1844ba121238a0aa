#pragma once

#include <string>
#include <vector>

#include "base/yaml.h"

namespace slipway::cli {

// One document of a file a user named.
struct Manifest {
  std::string file;  // as named; "-" is standard input
  yaml::Document document;
};

// Reads files, folders (every .yaml, .yml and .json below) and "-". Errors name file and line.
Result<std::vector<Manifest>> read_manifests(const std::vector<std::string>& paths);
// The files behind `paths`, folders opened.
Result<std::vector<std::string>> find_files(const std::vector<std::string>& paths);

// One object of a manifest; a document that is a List has several.
struct ManifestObject {
  std::string file;
  int line = 1;
  json::Value value;

  std::string place() const { return file + ":" + std::to_string(line); }
};

// The objects of all manifests in the order in which they can be made: namespaces, then
// CustomResourceDefinitions, then what others use by name (configuration, Services, templates of
// analyses), then the rest as the user wrote them.
std::vector<ManifestObject> objects_in_order(const std::vector<Manifest>& manifests);

// kInvalid when an object says another namespace than the user (`ns`, from -n; empty: anything
// goes).
Result<> check_namespace(const ManifestObject& object, const std::string& ns);

}  // namespace slipway::cli

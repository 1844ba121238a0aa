// The same for tests (see precompiled.cmake).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common.h"

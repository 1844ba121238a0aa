// The compiled part of Beast, once for the program: the build sets
// BOOST_BEAST_SEPARATE_COMPILATION.
#include <boost/beast/src.hpp>

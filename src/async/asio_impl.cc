// The compiled part of Asio, once for the program: the build sets BOOST_ASIO_SEPARATE_COMPILATION.
#include <boost/asio/impl/src.hpp>

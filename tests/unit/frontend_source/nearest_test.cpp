#include "frontend/source/diagnostics.h"

#include <catch2/catch.hpp>

using wave::frontend::nearest;

TEST_CASE("the nearest name is found through typing mistakes") {
  CHECK(nearest("totl", {"send", "total", "recv"}) == "total");
  CHECK(nearest("tsart", {"stop", "start"}) == "start");      // transposed
  CHECK(nearest("sweep3d", {"Sweep3D", "LU"}) == "Sweep3D");  // the case does not matter
  CHECK(nearest("inpt", {"output", "input"}) == "input");
}

TEST_CASE("nothing is suggested where nothing is near") {
  CHECK(nearest("x", {"y", "z"}).empty());
  CHECK(nearest("foo", {"bar", "quux"}).empty());
  CHECK(nearest("ab", {"cd"}).empty());
  CHECK(nearest("", {"a"}).empty());
  CHECK(nearest("n", {}).empty());
}

TEST_CASE("a name is not suggested for itself") { CHECK(nearest("total", {"total"}).empty()); }

TEST_CASE("of equally near names the first in the alphabet is suggested, whatever the order") {
  CHECK(nearest("cost", {"post", "host", "most"}) == nearest("cost", {"most", "post", "host"}));
}

TEST_CASE("a word of a megabyte is answered at once") {
  CHECK(nearest(std::string(1000000, 'a'), {std::string(1000001, 'a')}).empty());
}

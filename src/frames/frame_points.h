// What surfaces and volumes need of a frame.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/vec.h"
#include "particles/point_table.h"

namespace firn {

// One vector for each point, from three columns; zeros for those that are missing.
std::vector<Vec3f> vectors_of(const PointTable& table, const std::string& x, const std::string& y,
                              const std::string& z);

std::vector<Vec3f> positions_of(const PointTable& table);
std::vector<Vec3f> velocities_of(const PointTable& table);

bool is_flat(const PointTable& table);  // of a 2D scene

// The radius of a ball of the mean volume of the particles, m; 0: the frame does not tell volumes.
double mean_radius(const PointTable& table);

}  // namespace firn

#pragma once
#include "particles/point_table.h"

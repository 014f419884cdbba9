// Bytes from base64.
#pragma once

#include <string>
#include <string_view>

namespace firn {

// Appends what the text stands for. Blanks are passed over, and pieces that were encoded one by one
// may follow each other, with their padding. False when it is no base64.
bool decode_base64(std::string_view text, std::string& out);

}  // namespace firn

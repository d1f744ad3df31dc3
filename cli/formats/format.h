// The formats in which results are written.
#pragma once

namespace wave::cli {

enum class Format { table, csv, json, jsonl };

}  // namespace wave::cli

target_sources(wave_frontend PRIVATE
  format/alignment.cpp
  format/formatter.cpp
  format/indentation.cpp
  format/numbers.cpp
  format/quantities.cpp
  format/spacing.cpp)

#include "frontend/lower/lower.h"
#include "backend/engine.h"
#include "cli/session.h"                // breach

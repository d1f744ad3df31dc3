#include "backend/engine.h"
#include "cli/session.h"                // breach
#include "frontend/lower/lower.h"

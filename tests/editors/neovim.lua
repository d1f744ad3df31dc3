-- Drives `wave lsp` with the client of Neovim, set up as docs/editors.md says for 0.7: nvim --headless -l is not there yet,
-- so this is run with `nvim --headless --clean -c "luafile neovim.lua"`, in a folder of its own. WAVE_PAGE is the page.
local function fail(text)
  io.stderr:write(text .. "\n")
  vim.cmd("cquit 1")
end

local function check(condition, text)
  if not condition then
    fail(text)
    error(text)
  end
end

local function write(name, text)
  local file = assert(io.open(name, "w"))
  file:write(text)
  file:close()
end

-- The lines of the page for this version, as they stand there.
local function configuration()
  local file = assert(io.open(os.getenv("WAVE_PAGE")))
  local page = file:read("*a")
  file:close()
  local after = page:match("and from 0%.7 on:%s*```lua\n(.-)```")
  check(after, "docs/editors.md has no lines for Neovim 0.7")
  return after
end

local function wait(what, condition)
  check(vim.wait(10000, condition, 20), "there was no " .. what)
end

-- The answer of the server to a request about the first place of `words` in the current text.
local function ask(method, words, more)
  local line, column
  for number, text in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local at = text:find(words, 1, true)
    if at and not line then line, column = number - 1, at - 1 end
  end
  check(line, "the text has no " .. words)
  local parameters = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = line, character = column } }
  local answers = vim.lsp.buf_request_sync(0, method, vim.tbl_extend("force", parameters, more or {}), 10000)
  local _, first = next(answers or {})
  check(first and first.result, method .. " at " .. words .. " had no answer: " .. vim.inspect(first))
  return first.result
end

local function run()
  write("costs.wave", "wave 1\n/// What one task costs.\nlet task_time = 2 ms\n")
  write("farm.wave", 'wave 1\nimport "./costs.wave" as costs\nmodel Farm {\n  param n: int = 8\n  output total = n * costs.task_time + 3 B\n}\n')
  assert(load(configuration()))()
  vim.cmd("edit farm.wave")

  wait("diagnostic", function() return #vim.diagnostic.get(0) > 0 end)
  local found = vim.diagnostic.get(0)[1]
  check(found.lnum == 4 and found.severity == vim.diagnostic.severity.ERROR, "not the error that was made: " .. vim.inspect(found))

  vim.api.nvim_buf_set_lines(0, 4, 5, false, { "  output total = n * costs.task_time" })
  wait("end of the error after the text was put right", function() return #vim.diagnostic.get(0) == 0 end)

  local hover = vim.inspect(ask("textDocument/hover", "task_time"))
  check(hover:find("time", 1, true) and hover:find("What one task costs", 1, true), "hover says " .. hover)

  -- It is evaluated in the background.
  wait("value in hover", function() return vim.inspect(ask("textDocument/hover", "total")):find("16 ms", 1, true) end)

  local edit = ask("textDocument/rename", "task_time", { newName = "cost" })
  vim.lsp.util.apply_workspace_edit(edit, "utf-16")
  vim.cmd("silent wall")
  local function text(name) return table.concat(vim.fn.readfile(name), "\n") end
  check(text("farm.wave"):find("n * costs.cost", 1, true), "farm.wave is\n" .. text("farm.wave"))
  check(text("costs.wave"):find("let cost = 2 ms", 1, true), "costs.wave is\n" .. text("costs.wave"))
  vim.wait(200, function() return false end)
  check(#vim.diagnostic.get(0) == 0, "after the rename: " .. vim.inspect(vim.diagnostic.get(0)))
end

local fine, problem = xpcall(run, debug.traceback)
if not fine then fail(problem) end
vim.cmd("qall!")

-- Run by `test` in this folder, in Neovim without a window. The environment names the program and a copy of a story.

local story, other = os.getenv("STORY"), os.getenv("OTHER")
local kitsoki = require("kitsoki")

local function fail(what)
  io.stderr:write("neovim: " .. what .. "\n")
  vim.cmd("cquit 1")
end

local function check(condition, what)
  if not condition then
    fail(what)
  end
end

local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    fail("never seen: " .. what)
  end
end

local ok, fault = pcall(function()
  check(kitsoki.is_manifest({ "app: { id: a }", "root: x" }), "a manifest is not known")
  check(kitsoki.is_manifest({ "app:", "  # the id", "  id: a", "states: {}" }), "a manifest with lines is not known")
  check(not kitsoki.is_manifest({ "runtime: python39", "root: x" }), "a file of another tool is taken for a manifest")
  check(not kitsoki.is_manifest({ "app: ../app.yaml", "test_kind: flow", "root: x" }), "a flow is taken for a manifest")

  local told
  local notify = vim.notify
  vim.notify = function(message)
    told = message
  end
  kitsoki.setup({ cmd = { "/nowhere/kitsoki", "lsp" } })
  vim.cmd("filetype on")
  vim.cmd("edit " .. story .. "/rooms/foyer.yaml")
  vim.notify = notify
  check(told and told:match("/nowhere/kitsoki"), "a missing program is not told")
  vim.cmd("bwipeout!")

  kitsoki.setup({ cmd = { os.getenv("KITSOKI"), "lsp" } })
  vim.cmd("filetype on")
  vim.cmd("edit " .. other .. "/app.yaml")
  check(vim.bo.filetype == "yaml", "the file type is not known")
  check(#vim.lsp.get_active_clients() == 0, "a server was started for another tool's app.yaml")

  vim.cmd("edit " .. story .. "/rooms/foyer.yaml")
  wait("a server", function()
    local client = vim.lsp.get_active_clients()[1]
    return client and client.initialized
  end)

  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  local at
  for index, line in ipairs(lines) do
    if not at and line:match("target: cloakroom") then
      at = index
    end
  end
  check(at, "the shipped story has changed: no arc leads to the cloakroom")
  local broken = lines[at]:gsub("cloakroom", "claokroom")
  vim.api.nvim_buf_set_lines(0, at - 1, at, false, { broken })
  wait("the finding", function()
    for _, finding in ipairs(vim.diagnostic.get(0)) do
      if finding.lnum == at - 1 and finding.message:match("claokroom") then
        return true
      end
    end
    return false
  end)

  local column = broken:find("claokroom") - 1
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = { start = { line = at - 1, character = column }, ["end"] = { line = at - 1, character = column + 9 } },
    context = { diagnostics = {} },
  }
  local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 20000)
  local fix
  for _, answer in pairs(answers or {}) do
    for _, action in ipairs(answer.result or {}) do
      if vim.inspect(action):match("cloakroom") then
        fix = action
      end
    end
  end
  check(fix and fix.edit, "no fix for the target: " .. vim.inspect(answers))
  vim.lsp.util.apply_workspace_edit(fix.edit, "utf-16")
  check(vim.api.nvim_buf_get_lines(0, at - 1, at, false)[1] == lines[at], "the fix did not bring the room back")
  wait("the end of the finding", function()
    return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 0
  end)

  local source = vim.api.nvim_get_current_buf()
  kitsoki.expand()
  wait("the expansion", function()
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
    return vim.api.nvim_get_current_buf() ~= source and text:match("room foyer") ~= nil
  end)
  vim.cmd("bwipeout!")

  vim.cmd("edit " .. story .. "/flows/closed_doors.yaml")
  kitsoki.run_flow()
  wait("the end of the flow", function()
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
    return text:match("1/1 flows pass") ~= nil
  end)
end)
if not ok then
  fail(tostring(fault))
end
print("neovim: finding, fix, activation, expansion, flow: as they should be")
vim.cmd("qall!")

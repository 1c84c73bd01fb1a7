--- kitsoki in Neovim: the language server for stories, and only for them.
---
---   require("kitsoki").setup({ cmd = { "kitsoki", "lsp" } })
---
--- A buffer belongs to a story when its text is a manifest, or when a folder above it holds a manifest `app.yaml`. What a
--- manifest is, its text decides: an `app.yaml` of another tool is left alone. Needs Neovim 0.7 or later.

local M = {}

local options = {
  cmd = { "kitsoki", "lsp" },
  --- Called with the client and the buffer, for key mappings.
  on_attach = nil,
  capabilities = nil,
  settings = {},
}

local other_keys = {
  root = true,
  states = true,
  include = true,
  imports = true,
  intents = true,
  phases = true,
  meta_modes = true,
}

--- Whether lines are the manifest of a story: `app:` with a mapping, beside another key of a story, and no kind of its own.
function M.is_manifest(lines)
  local app, other = false, false
  for index, line in ipairs(lines) do
    line = line:gsub("^\239\187\191", ""):gsub("\r$", "")
    local key, rest = line:match("^([%a_][%w_]*)%s*:(.*)$")
    if key and (rest == "" or rest:match("^%s")) then
      rest = rest:gsub("^%s+", ""):gsub("^&%S+%s*", "")
      if key == "app" then
        if rest:sub(1, 1) == "{" then
          app = true
        elseif rest == "" or rest:sub(1, 1) == "#" then
          for below = index + 1, #lines do
            local text = lines[below]
            if text:match("%S") and not text:match("^%s*#") then
              app = app or text:match("^%s") ~= nil
              break
            end
          end
        end
      elseif other_keys[key] then
        other = true
      elseif key == "test_kind" or key == "kind" then
        return false
      end
    end
  end
  return app and other
end

local function read(file)
  local handle = io.open(file, "r")
  if not handle then
    return nil
  end
  local text = handle:read("*a")
  handle:close()
  return vim.split(text, "\n", { plain = true })
end

--- The folder of the story that a buffer belongs to, or nil.
function M.story_folder(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  if name == "" or name:match("^%a[%w+.-]*://") then
    return nil
  end
  local folder = vim.fn.fnamemodify(name, ":p:h")
  if M.is_manifest(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) then
    return folder
  end
  for _ = 1, 64 do
    local lines = read(folder .. "/app.yaml")
    if lines and M.is_manifest(lines) then
      return folder
    end
    local above = vim.fn.fnamemodify(folder, ":h")
    if above == folder then
      return nil
    end
    folder = above
  end
  return nil
end

local clients = {}

--- The client of a buffer. What Neovim calls this has changed over its versions.
local function client_of(buffer)
  if vim.lsp.get_clients then
    return vim.lsp.get_clients({ bufnr = buffer, name = "kitsoki" })[1]
  end
  for _, client in pairs(vim.lsp.buf_get_clients(buffer)) do
    if client.name == "kitsoki" then
      return client
    end
  end
end

local function request(client, ...)
  if vim.fn.has("nvim-0.11") == 1 then
    return client:request(...)
  end
  return client.request(...)
end

--- Starts the server for the story of a buffer, or lets the one that runs serve the buffer, too.
function M.attach(buffer)
  local folder = M.story_folder(buffer)
  if not folder then
    return nil
  end
  if vim.fn.executable(options.cmd[1]) == 0 then
    -- Said once, not for every file.
    if not M.told then
      M.told = true
      vim.notify("kitsoki: no program " .. options.cmd[1] .. ": install it, or name it in setup({ cmd = ... })", vim.log.levels.WARN)
    end
    return nil
  end
  local config = {
    name = "kitsoki",
    cmd = options.cmd,
    root_dir = folder,
    workspace_folders = { { uri = vim.uri_from_fname(folder), name = vim.fn.fnamemodify(folder, ":t") } },
    capabilities = options.capabilities or vim.lsp.protocol.make_client_capabilities(),
    settings = options.settings,
    on_attach = options.on_attach,
  }
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = buffer })
  end
  local id = clients[folder]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client(config)
    clients[folder] = id
  end
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
  return id
end

--- Runs flows of a story in a terminal; without any, the flow of the current buffer.
function M.run_flow(flows)
  vim.cmd("silent update")
  flows = flows or { vim.api.nvim_buf_get_name(0) }
  local folder = M.story_folder(vim.fn.bufadd(flows[1]))
  if not folder then
    return vim.notify("This flow belongs to no story.")
  end
  local command = { options.cmd[1], "test", "flows", folder .. "/app.yaml" }
  for _, flow in ipairs(flows) do
    -- A pattern: what has a meaning in one stands for any letter.
    vim.list_extend(command, { "--flows", (flow:gsub("[%*%?%[%]{},]", "?")) })
  end
  vim.cmd("botright new")
  vim.fn.termopen(command)
end

local function show(text, line)
  vim.cmd("botright vnew")
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text, "\n", { plain = true }))
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.modifiable = "nofile", "wipe", false
  if line then
    vim.api.nvim_win_set_cursor(0, { line + 1, 0 })
  end
end

--- Shows what imports and macros made of the room at the cursor.
function M.expand(place)
  local buffer = vim.api.nvim_get_current_buf()
  local client = client_of(buffer)
  if not client then
    return vim.notify("No server looks at this file: it belongs to no story, or the program could not be started.")
  end
  local params = { command = "kitsoki.expand", arguments = { place or vim.lsp.util.make_position_params(0, client.offset_encoding) } }
  request(client, "workspace/executeCommand", params, function(fault, answer)
    if fault then
      return vim.notify(fault.message, vim.log.levels.WARN)
    end
    show(answer.text, type(answer.line) == "number" and answer.line or nil)
  end, buffer)
end

--- What the server's lenses ask for.
vim.lsp.commands["kitsoki.runFlow"] = function(command)
  M.run_flow(vim.tbl_map(vim.uri_to_fname, command.arguments))
end
vim.lsp.commands["kitsoki.showExpansion"] = function(command)
  M.expand(command.arguments[1])
end
vim.lsp.commands["kitsoki.showReferences"] = function(command)
  local client = client_of(0)
  local items = vim.lsp.util.locations_to_items(command.arguments[3], client and client.offset_encoding or "utf-16")
  vim.fn.setqflist({}, " ", { title = "References", items = items })
  vim.cmd("botright copen")
end

function M.setup(given)
  options = vim.tbl_extend("force", options, given or {})
  local group = vim.api.nvim_create_augroup("kitsoki", { clear = true })
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = "yaml",
    callback = function(event)
      M.attach(event.buf)
    end,
  })
  vim.api.nvim_create_user_command("KitsokiFlow", function()
    M.run_flow()
  end, { desc = "Run the flow of this buffer" })
  vim.api.nvim_create_user_command("KitsokiExpand", function()
    M.expand()
  end, { desc = "Show what macros and imports became" })
end

return M

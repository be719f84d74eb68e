-- Drives Neovim with the settings of rust/docs/editors.md in a copy of the project beside this file, and says what it sees.
-- Called by scripts/test/servers/editors.sh in the project's folder, with `--headless`.

local failed, passed = 0, 0

local function check(name, is_right, seen)
  if is_right then
    passed = passed + 1
    io.stdout:write('ok: ', name, '\n')
  else
    failed = failed + 1
    io.stdout:write('FAIL: ', name, ': ', vim.inspect(seen), '\n')
  end
end

local function read(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read('a')
  file:close()
  return text
end

local function codes()
  local all = {}
  for _, found in ipairs(vim.diagnostic.get(0)) do table.insert(all, found.code) end
  table.sort(all)
  return all
end

local function wait_for_codes(wanted)
  vim.wait(20000, function() return vim.deep_equal(codes(), wanted) end, 50)
  return codes()
end

-- The place of the first match of plain text, in Neovim's terms.
local function go_to(text)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search('\\V' .. text, 'cW') > 0, text)
end

local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') .. '\n' end

local function wait_for_text(wanted)
  return vim.wait(20000, function() return text():find(wanted, 1, true) ~= nil end, 50)
end

local function client() return vim.lsp.get_clients({ bufnr = 0, name = 'gdscene' })[1] end

local function run()
  vim.cmd.edit('level.tscn')
  check('a scene has the file type gdresource', vim.bo.filetype == 'gdresource', vim.bo.filetype)
  vim.wait(20000, function() return client() ~= nil end, 50)
  check('the server is attached', client() ~= nil, vim.lsp.get_clients())
  check('the root is the folder of the project', client().root_dir == vim.fn.getcwd(), client().root_dir)
  local before = wait_for_codes({ 'SIG004', 'STR015', 'TREE013' })
  check('problems are shown', vim.deep_equal(before, { 'SIG004', 'STR015', 'TREE013' }), before)

  go_to('Sprit2D')
  vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.title:find('Sprite2D') ~= nil end })
  check('a quick fix is applied', wait_for_text('name="Hat" type="Sprite2D"'), text())

  local hover = client():request_sync('textDocument/hover', vim.lsp.util.make_position_params(0, client().offset_encoding), 5000)
  check('hover answers', hover ~= nil and hover.err == nil, hover)

  go_to('"Player" type')
  vim.fn.cursor(vim.fn.line('.'), vim.fn.col('.') + 2)
  vim.lsp.buf.rename('Hero')
  check('a node is renamed in its scene', wait_for_text('name="Hero"') and text():find('Player') == nil, text())
  vim.cmd.wall()
  local script = read('level.gd')
  check('scripts follow', script:find('$Hero/Shape', 1, true) ~= nil and script:find('Player', 1, true) == nil, script)
  local saved = read('level.tscn')
  check('all safe fixes are applied on save', select(2, saved:gsub('%[connection', '')) == 1, saved)
  check('the text is formatted on save', saved:find('position = Vector2(1, 2)', 1, true) ~= nil, saved)

  local symbols = client():request_sync('textDocument/documentSymbol', { textDocument = vim.lsp.util.make_text_document_params() }, 5000)
  local root = symbols and symbols.result and vim.tbl_filter(function(symbol) return symbol.name == 'Level' end, symbols.result)[1]
  check('the outline is a tree of nodes', root and root.children and root.children[1].name == 'Hero', symbols)

  for name, filetype in pairs({ ['project.godot'] = 'gdresource', ['gdscene.toml'] = 'toml.gdscene', ['level.gd'] = 'gdscript' }) do
    vim.cmd.edit(name)
    vim.wait(5000, function() return client() ~= nil end, 50)
    check(name .. ' has the server', vim.bo.filetype == filetype and client() ~= nil, vim.bo.filetype)
  end
end

local is_run, error_text = pcall(run)
if not is_run then check('the session runs to its end', false, error_text) end
io.stdout:write(('%d passed, %d failed\n'):format(passed, failed))
vim.cmd('qall!')

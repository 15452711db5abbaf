-- Drives `elf lsp` in Neovim 0.7 or newer, as a user does by hand.

local function fail(message)
  io.stderr:write(message .. '\n')
  vim.cmd('cquit 1')
end

local function wait_for(what, condition)
  if not vim.wait(60000, condition, 50) then
    fail('nothing came of: ' .. what)
  end
end

local function findings()
  return #vim.diagnostic.get(0)
end

local function test()
  local id = vim.lsp.start_client({ name = 'elf', cmd = { os.getenv('ELF'), 'lsp' }, root_dir = vim.fn.getcwd() })
  vim.lsp.buf_attach_client(0, id)
  wait_for('findings', function() return findings() == 2 end)

  local params = vim.lsp.util.make_range_params()
  params.context = { diagnostics = {}, only = { 'source.fixAll' } }
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 60000)
  local action = answers[id].result[1]
  if not action.edit then
    action = vim.lsp.buf_request_sync(0, 'codeAction/resolve', action, 60000)[id].result
  end
  local encoding = vim.lsp.get_client_by_id(id).offset_encoding
  vim.lsp.util.apply_workspace_edit(action.edit, encoding)
  wait_for('the fix', function() return findings() == 0 end)

  vim.api.nvim_win_set_cursor(0, { 10, 9 })
  vim.lsp.buf.rename('P7')
  wait_for('the rename', function() return vim.api.nvim_buf_get_lines(0, 2, 3, true)[1] == '0 @P7@ INDI' end)

  vim.cmd('write')
  vim.lsp.stop_client(id)
  vim.cmd('quitall')
end

vim.api.nvim_create_autocmd('VimEnter', {
  callback = function()
    local is_fine, message = pcall(test)
    if not is_fine then
      fail(message)
    end
  end,
})

"""A server for each test, and a client that is like one of three editors."""

import os

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

ELF = os.environ["ELF"]


@pytest_lsp.fixture(
    params=["neovim", "visual-studio-code", "emacs"],
    config=ClientServerConfig(server_command=[ELF, "lsp"]),
)
async def client(request, lsp_client: LanguageClient):
    registered = []

    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams):
        registered.extend(params.registrations)

    params = types.InitializeParams(capabilities=client_capabilities(request.param))
    started = await lsp_client.initialize_session(params)
    lsp_client.position_encoding = started.capabilities.position_encoding
    lsp_client.registered = registered
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def tree(tmp_path):
    """Writes a file and returns its URI."""

    def write(text, encoding="utf-8", name="tree.ged"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path.as_uri()

    return write

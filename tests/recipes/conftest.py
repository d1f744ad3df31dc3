import pytest
from recipes import Study


@pytest.fixture
def study(tmp_path):
    made = Study(tmp_path)
    yield made
    made.end()

"""The tests are in English, whatever language the environment asks for; those of other languages say so."""

import os

from pyramide_cli.messages import language_of

if language_of(os.environ) != "en":
    os.environ["LC_ALL"] = "C.UTF-8"

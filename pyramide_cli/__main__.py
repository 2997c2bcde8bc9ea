"""Run the program: `python -m pyramide_cli`, and the `pyramide` script."""

from pyramide_cli.cli import main

if __name__ == "__main__":
    main()

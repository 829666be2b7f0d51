"""Small helpers around text, files and the installation. They know nothing of the mathematics.

escaping     foreign text in XML, HTML and Markdown
plain_formula  LaTeX as one reads it in a terminal
strict_json  JSON that gives no key twice
junit        JUnit XML files
folders      where caches live
extras       which optional packages are missing, and how to install them
screen       how wide text for people may be
timing       the least of a few measured times
"""

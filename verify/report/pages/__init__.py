"""Results to something to read.

build         all files of a report, put in place together
site          the pages
page          one page in the common shell
answers       the report in three sentences
conclusions   the numbers at the top, what failed, what is not covered
captions      words that no computation produces
cells         ranges of parameters in which points are counted
run_cells     ranges of training runs
family_lines  families of libraries in report.md
family_pages  one page for each family
family_words  families in words
markdown      report.md
mathml        LaTeX to MathML
prose         formulas inside sentences
junit         JUnit XML of the report
diff          what changed between two reports
"""

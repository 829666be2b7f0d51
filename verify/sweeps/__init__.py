"""Sweeps: millions of certified points, resumable, on one machine or a cluster.

    spec.py      a TOML file: which points, and what to compute there
    given.py     what somebody wrote there, checked
    axes.py      grids, lists and ranges: the k-th value, without making the others
    points.py    blocks of points: the k-th point, without making the others
    boundary.py  orders on the boundary of a condition
    computations/  what can be computed at a point, one file each
    work.py      one batch in a worker
    store.py     the file of results, its one writer, its closing record
    database.py  SQLite: opening, recovery, errors
    schema.py    what a file of results looks like
    checksum.py  checksums of rows
    place.py     the lock beside the file, and the file system it lies on
    run.py       the whole: gaps of the file -> batches -> workers -> file
    export.py    CSV and Parquet, the same bytes whatever happened on the way
    progress.py  rate and time left

Data flows one way: Spec -> Batch -> worker -> rows -> file -> export. Workers never see the file.
"""

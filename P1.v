From Coq Require Import Reals Lra Psatz List PeanoNat.
From Coquelicot Require Import Coquelicot.
From SGM Require Statements StatementsSteps StatementsBeyond.
Set Printing All. Set Printing Width 118. Set Printing Depth 1000000.
Redirect "t1" Check @SGM.Statements.theorem_11.
Redirect "t2" Check @SGM.StatementsBeyond.space_rdp_exactly.
Redirect "t3" Print SGM.Statements.binom.
Redirect "t4" Print SGM.Statements.theorem_11_conditions.
Redirect "t5" Print SGM.StatementsBeyond.int_space.
Redirect "t6" Print SGM.StatementsBeyond.sampled_gaussian_space.
Redirect "t7" Print Assumptions SGM.StatementsBeyond.space_rdp_exactly.
Redirect "t8" About RbaseSymbolsImpl.Rlt.
Redirect "t9" About SGM.Statements.mu0.
Redirect "t10" Check @SGM.StatementsBeyond.involution_counterexample.
Redirect "t11" Print SGM.StatementsBeyond.point.
Redirect "t12" About O.
Redirect "t13" Print Assumptions SGM.Statements.renyi.
Redirect "t14" Check @SGM.Statements.lemma_10.

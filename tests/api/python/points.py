"""Studies that several tests evaluate, and what it is for two sweeps to be the same."""

import pandas

MODEL = """wave 1
model M {
  param n: int
  param L: time = 1 us
  param mode: fast | slow = fast
  output total = n * L * (if mode == slow then 2 else 1) in ms
  output word = if n mod 3 == 0 then "three" else "other"
  output checked = if n mod 100 == 7 then error("a seven") else n * 0.1
  output even = n mod 2 == 0
}
study Growth of M {
  vary n in [1, 2, 4]
  show total
}
"""
AXES = {"n": "1..600", "mode": ["fast", "slow"]}
LONG = "wave 1\nmodel M { param n: int\n output t = sum(i in 1..n: i * n mod 7) }"


def same(one, other):
    pandas.testing.assert_frame_equal(one.df, other.df, check_exact=True)
    assert one.units == other.units and one.points == other.points and one.codes.tolist() == other.codes.tolist()
    for name in one:
        assert one[name].dtype == other[name].dtype
        assert one[name].dtype == object or one[name].tobytes() == other[name].tobytes()

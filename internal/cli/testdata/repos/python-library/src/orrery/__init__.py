"""Where the planets stand."""

from math import tau

__all__ = ["mean_anomaly"]


def mean_anomaly(seconds: float, period: float, at_epoch: float = 0.0) -> float:
    """The mean anomaly in radians, a time after the epoch.

    >>> mean_anomaly(0.0, period=100.0)
    0.0
    """
    return (at_epoch + tau * seconds / period) % tau

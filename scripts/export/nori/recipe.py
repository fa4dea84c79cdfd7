"""Translate the pipelines of a Nori ensemble into the words of a manifest."""

from scripts.export.bundle.checkpoint import CheckpointError

MOST_COLUMNS = 256  # of a table, unless a member projects wider ones later
TRANSFORMS = {"quantile_uniform_all_data": "quantile", "adaptive": "adaptive"}
STEPS = (
    "MaxFeatureSubsampler",
    "PolynomialInteractionGenerator",
    "CategoricalFeatureEncoder",
    "FeatureShuffler",
    "RebalanceFeatureDistribution",
    "FingerprintFeatureEncoder",
    "HighDimFeatureSelector",
)


def pipelines(members: list[dict], path: str) -> tuple[list[dict], int]:
    """Return the members of a manifest, and the most columns of a table.

    The package projects wider tables on singular vectors of context and query rows together.
    """
    made, most = [], MOST_COLUMNS
    for number, member in enumerate(members):
        try:
            pipeline, limit = of_member(member)
        except (UnknownSetting, TypeError, KeyError, ValueError, AttributeError) as error:
            raise CheckpointError(
                f"{path}: member {number + 1} of its pipelines: {error}"
            ) from error
        made.append(pipeline)
        most = min(most, limit)
    return made, most


class UnknownSetting(ValueError):
    """A step, or an option of one, that the program does not have."""


def of_member(member: dict) -> tuple[dict, int]:
    for step in member:
        if step not in STEPS and member[step]:
            raise UnknownSetting(f"pfnamp does not have the step {step}")
    most = min(projected(member), subsampled(member))
    products = member.get("PolynomialInteractionGenerator")
    count = 0
    if products is not None:
        allow("PolynomialInteractionGenerator", products, {"max_interaction_features": None})
        count = int(products.get("max_interaction_features") or 100)
    codes = member.get("CategoricalFeatureEncoder")
    if codes is not None:
        strategy = {"encoding_strategy": ("ordinal_strict_feature_shuffled",)}
        allow("CategoricalFeatureEncoder", codes, strategy)
        if "encoding_strategy" not in codes:
            raise UnknownSetting("pfnamp does not have CategoricalFeatureEncoder without strategy")
    order = member.get("FeatureShuffler")
    if order is not None:
        allow("FeatureShuffler", order, {"mode": ("shuffle",), "offset": None})
    return {
        "subsampler": "MaxFeatureSubsampler" in member,
        "products": count,
        **transform(member.get("RebalanceFeatureDistribution")),
        "categories": codes is not None,
        "fingerprint": bool(member.get("FingerprintFeatureEncoder", False)),
        "shuffle": order is not None,
    }, most


def transform(step: dict | None) -> dict:
    if step is None:
        return {"transform": "none", "original": False, "components": False}
    known = {
        "worker_tags": None,
        "discrete_flag": (False,),
        "original_flag": (True, False),
        "svd_tag": (None, "svd"),
        "joined_svd_feature": None,  # the package does not read these two
        "joined_log_normal": None,
    }
    allow("RebalanceFeatureDistribution", step, known)
    tags = step.get("worker_tags") or ["quantile"]
    if len(tags) != 1 or tags[0] not in TRANSFORMS:
        raise UnknownSetting(f"pfnamp does not have the transforms {tags}")
    return {
        "transform": TRANSFORMS[tags[0]],
        "original": step.get("original_flag", False),
        "components": step.get("svd_tag") == "svd",
    }


def projected(member: dict) -> int:
    """Return the largest number of columns that a member's projection leaves alone."""
    step = member.get("HighDimFeatureSelector")
    if step is None or step.get("strategy", "passthrough") == "passthrough":
        return MOST_COLUMNS
    if step.get("binary_threshold", 0.5) <= 1:
        raise UnknownSetting("pfnamp does not have HighDimFeatureSelector for binary columns")
    return int(step.get("n_features_threshold", 128))


def subsampled(member: dict) -> int:
    """Return the largest number of columns that all stay in a member's choice."""
    return int(member.get("MaxFeatureSubsampler", {}).get("max_features", 500))


def allow(step: str, given: dict, known: dict[str, tuple | None]) -> None:
    """Refuse unknown options and unknown values; None allows every value."""
    for name, value in given.items():
        if name not in known or (known[name] is not None and value not in known[name]):
            raise UnknownSetting(f"pfnamp does not have {step} with {name} = {value!r}")

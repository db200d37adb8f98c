"""Parameters of the algorithms. Printed by python/make_parameters.py from the C++ registry: do not edit."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from numpy.random import Generator, RandomState

from ._callbacks import Callback


class Parameters(TypedDict, total=False):
    """Keywords of ``gopnet.train``."""

    preset: str | None
    seed: int | None
    split_seed: int | None
    threads: int | None
    val_split: float | None
    test_split: float | None
    folds: int | None
    stratify: bool | None
    class_weight: dict[Any, float] | str | None
    metric: str | None
    loss: str | None
    scale: str | None
    bounded: str | None
    topology: Sequence[int] | str | str | None
    layer_threshold: float | None
    target_loss: float | None
    patience: int | None
    epochs: int | str | None
    lr: Sequence[float] | str | None
    schedule: str | None
    beta2: float | None
    ema: float | None
    batch_size: int | str | None
    dropout: float | str | None
    input_dropout: float | None
    weight_decay: float | None
    max_norm: float | None
    label_smoothing: float | None
    regulariser: str | None
    dropout_on_cached_input: bool | None
    epoch_patience: int | None
    search: str | None
    nodal: Sequence[str] | str | None
    pool: Sequence[str] | str | None
    activation: Sequence[str] | str | None
    shared_draws: bool | None
    finetune_epochs: int | None
    finetune_lr: Sequence[float] | str | None
    finetune_clip: float | None
    ensemble: int | str | None
    search_epochs: int | str | None
    search_rows: int | None
    network_rows: int | None
    upper_layers: str | None
    linear_member: bool | None
    memory: str | None
    memory_energy: float | None
    memory_reg: float | None
    memory_reg_scale: str | None
    memory_prescale: str | None
    memory_postscale: str | None
    finetune_memory: bool | None
    block_size: int | None
    max_blocks: int | None
    block_threshold: float | None
    max_layers: int | None
    ridge: float | None
    random_range: float | None
    draws: int | None
    block_patience: int | None
    on_stop: str | None
    grid: str | None
    l1: float | None
    admm_rho: float | None
    admm_iterations: int | None
    in_scale: str | None
    enhancement_scale: float | None
    intercept: bool | None
    update: str | None
    reduced_size: int | None
    autoencoder: bool | None
    pca_source: str | None
    norm_bound: float | None
    solver: str | None
    admm_mu: float | None
    random_state: int | RandomState | Generator | None
    n_jobs: int | None


class ParametersMixin:
    """Keeps the parameters of an estimator under their names."""

    def __init__(
        self,
        *,
        algorithm: str = "popmem-o",
        preset: str | None = "default",
        seed: int | None = 1,
        split_seed: int | None = 0,
        threads: int | None = 0,
        val_split: float | None = None,
        test_split: float | None = 0.0,
        folds: int | None = None,
        stratify: bool | None = None,
        class_weight: dict[Any, float] | str | None = None,
        metric: str | None = "auto",
        loss: str | None = None,
        scale: str | None = None,
        bounded: str | None = None,
        topology: Sequence[int] | str | str | None = None,
        layer_threshold: float | None = 0.0001,
        target_loss: float | None = None,
        patience: int | None = 1,
        epochs: int | str | None = None,
        lr: Sequence[float] | str | None = (0.01, 0.001, 0.0001),
        schedule: str | None = None,
        beta2: float | None = None,
        ema: float | None = 0.0,
        batch_size: int | str | None = None,
        dropout: float | str | None = None,
        input_dropout: float | None = 0.0,
        weight_decay: float | None = 0.0,
        max_norm: float | None = None,
        label_smoothing: float | None = None,
        regulariser: str | None = None,
        dropout_on_cached_input: bool | None = None,
        epoch_patience: int | None = 0,
        search: str | None = None,
        nodal: Sequence[str] | str | None = ("multiplication", "exponential", "harmonic", "quadratic",
            "gaussian", "dog"),
        pool: Sequence[str] | str | None = ("sum", "correlation1", "correlation2", "maximum"),
        activation: Sequence[str] | str | None = ("sigmoid", "tanh", "relu"),
        shared_draws: bool | None = True,
        finetune_epochs: int | None = None,
        finetune_lr: Sequence[float] | str | None = (0.0001, 1e-05),
        finetune_clip: float | None = 5.0,
        ensemble: int | str | None = None,
        search_epochs: int | str | None = "auto",
        search_rows: int | None = 5000,
        network_rows: int | None = 100000,
        upper_layers: str | None = "plain",
        linear_member: bool | None = True,
        memory: str | None = "pca",
        memory_energy: float | None = 0.98,
        memory_reg: float | None = 0.01,
        memory_reg_scale: str | None = None,
        memory_prescale: str | None = None,
        memory_postscale: str | None = None,
        finetune_memory: bool | None = True,
        block_size: int | None = None,
        max_blocks: int | None = None,
        block_threshold: float | None = 0.0001,
        max_layers: int | None = None,
        ridge: float | None = None,
        random_range: float | None = None,
        draws: int | None = 1,
        block_patience: int | None = None,
        on_stop: str | None = None,
        grid: str | None = None,
        l1: float | None = 0.001,
        admm_rho: float | None = None,
        admm_iterations: int | None = 500,
        in_scale: str | None = None,
        enhancement_scale: float | None = None,
        intercept: bool | None = None,
        update: str | None = None,
        reduced_size: int | None = 500,
        autoencoder: bool | None = True,
        pca_source: str | None = "output",
        norm_bound: float | None = None,
        solver: str | None = None,
        admm_mu: float | None = 1.0,
        random_state: int | RandomState | Generator | None = None,
        n_jobs: int | None = None,
        callbacks: Callback | Iterable[Callback] | None = None,
        verbose: int = 0,
    ) -> None:
        self.algorithm = algorithm
        self.preset = preset
        self.seed = seed
        self.split_seed = split_seed
        self.threads = threads
        self.val_split = val_split
        self.test_split = test_split
        self.folds = folds
        self.stratify = stratify
        self.class_weight = class_weight
        self.metric = metric
        self.loss = loss
        self.scale = scale
        self.bounded = bounded
        self.topology = topology
        self.layer_threshold = layer_threshold
        self.target_loss = target_loss
        self.patience = patience
        self.epochs = epochs
        self.lr = lr
        self.schedule = schedule
        self.beta2 = beta2
        self.ema = ema
        self.batch_size = batch_size
        self.dropout = dropout
        self.input_dropout = input_dropout
        self.weight_decay = weight_decay
        self.max_norm = max_norm
        self.label_smoothing = label_smoothing
        self.regulariser = regulariser
        self.dropout_on_cached_input = dropout_on_cached_input
        self.epoch_patience = epoch_patience
        self.search = search
        self.nodal = nodal
        self.pool = pool
        self.activation = activation
        self.shared_draws = shared_draws
        self.finetune_epochs = finetune_epochs
        self.finetune_lr = finetune_lr
        self.finetune_clip = finetune_clip
        self.ensemble = ensemble
        self.search_epochs = search_epochs
        self.search_rows = search_rows
        self.network_rows = network_rows
        self.upper_layers = upper_layers
        self.linear_member = linear_member
        self.memory = memory
        self.memory_energy = memory_energy
        self.memory_reg = memory_reg
        self.memory_reg_scale = memory_reg_scale
        self.memory_prescale = memory_prescale
        self.memory_postscale = memory_postscale
        self.finetune_memory = finetune_memory
        self.block_size = block_size
        self.max_blocks = max_blocks
        self.block_threshold = block_threshold
        self.max_layers = max_layers
        self.ridge = ridge
        self.random_range = random_range
        self.draws = draws
        self.block_patience = block_patience
        self.on_stop = on_stop
        self.grid = grid
        self.l1 = l1
        self.admm_rho = admm_rho
        self.admm_iterations = admm_iterations
        self.in_scale = in_scale
        self.enhancement_scale = enhancement_scale
        self.intercept = intercept
        self.update = update
        self.reduced_size = reduced_size
        self.autoencoder = autoencoder
        self.pca_source = pca_source
        self.norm_bound = norm_bound
        self.solver = solver
        self.admm_mu = admm_mu
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.callbacks = callbacks
        self.verbose = verbose


DOC = """\
preset : {"default", "paper", "fast", "best"}, default="default"
    Set of defaults: default, paper (the paper's protocol), fast (3 networks of at most 2 layers), best (5 folds
    of every network).
seed : int, default=1
    Random seed. The same seed, data and parameters give the same model, byte for byte.
split_seed : int, default=0
    Seed of the val and test splits only, so that runs with different seeds see the same rows; 0 uses seed.
threads : int in [0, 4096], default=0
    Number of threads; 0 uses all cores. Does not change the result.
val_split : float in [0, 1), default=None
    Fraction of the training rows held out for validation if no validation set is given; 0 selects on the
    training rows. None is 0.2; 0 with preset paper.
test_split : float in [0, 1), default=0.0
    Fraction of all rows held out for testing if no test set is given.
folds : int in [0, 50], default=None
    Train every network once per fold, each time validated on another part of the rows, and average the results;
    0 turns folds off. Given validation rows join the training rows. None is 0; 5 with preset best.
stratify : bool, default=None
    Keep the class proportions in held-out parts. None is true; false with preset paper.
class_weight : dict or str, default=None
    None, "balanced" (rows / (classes * rows of the class)), or weights by label, such as {"cat": 2, "dog": 1}.
metric : {"auto", "accuracy", "balanced_accuracy", "f1_macro", "brier", "loss", "r2", "mse"}, default="auto"
    Validation metric that selects epochs and operators and stops growth; auto is accuracy, brier for an average
    of networks, or r2 for regression.
loss : {"mse", "auto", "cross_entropy"}, default=None
    Training loss; auto is cross_entropy for classes and mse for regression. None is mse for pop, bls, s-elm,
    pln; auto for popfast, popmem-h, popmem-o, hemlgop, homlgop, hemlrn, homlrn.
scale : {"auto", "standard", "robust", "quantile"}, default=None
    Scaling of features: standard gives mean 0 and standard deviation 1; robust uses median and quartiles and
    compresses outliers; quantile maps to a normal distribution; auto is robust for features with heavy tails
    (kurtosis above 6) and standard for the others. None is auto; standard with preset paper.
bounded : {"auto", "always", "never"}, default=None
    Whether to clip regression predictions to the range of the training and validation targets; auto clips
    unless a column holds dates, since targets may grow with time. None is auto; never with preset paper.
topology : list of int auto or in [1, 65536], default=None
    Neurons of each layer; the length of the list is the maximum depth. auto is 40,40,40, or 80,80,80 for 2,000
    (regression: 5,000) to 50,000 training rows. None is auto; 40,40,40,40,40,40,40,40 with preset paper; 40,40
    with preset fast. Of pop, popfast, popmem-h, popmem-o.
layer_threshold : float in [0, 1], default=0.0001
    Smallest relative gain in the validation metric that keeps a new layer. Of pop, popfast, popmem-h, popmem-o,
    hemlgop, homlgop, hemlrn, homlrn, s-elm, pln.
target_loss : float >= 0, default=None
    Stop growing once the loss is below this; none turns it off. Of pop, popfast, popmem-h, popmem-o, hemlgop,
    homlgop, hemlrn, homlrn, s-elm, pln.
patience : int in [1, 64], default=1
    Stop after this many layers in a row without gain; layers after the best are dropped. Of pop, popfast,
    popmem-h, popmem-o, hemlgop, homlgop, hemlrn, homlrn, s-elm, pln.
epochs : int auto or in [0, 1000000], default=None
    Epochs per candidate, divided evenly among the lr stages (earlier stages take the remainder). auto is 60
    (200 for regression with up to 2,000 rows, 100 for a single network), reduced to as few as 7 for large data.
    None is auto for pop, popfast, popmem-h, popmem-o; 300 for hemlgop, homlgop; 300 with preset paper for pop,
    popfast, popmem-h, popmem-o; 100 with preset fast for hemlgop, homlgop. Of pop, popfast, popmem-h, popmem-o,
    hemlgop, homlgop.
lr : list of float in [1e-12, 10], default=(0.01, 0.001, 0.0001)
    Learning rates of the stages of a candidate's training. Of pop, popfast, popmem-h, popmem-o, hemlgop,
    homlgop.
schedule : {"stages", "cosine"}, default=None
    stages uses each learning rate in turn, with a new optimiser; cosine lets the first one rise and fall four
    times, each time twice as long. None is cosine for pop, popfast, popmem-h, popmem-o; stages for hemlgop,
    homlgop; stages with preset paper for pop, popfast, popmem-h, popmem-o. Of pop, popfast, popmem-h, popmem-o,
    hemlgop, homlgop.
beta2 : float in [0, 1), default=None
    Decay rate of Adam's second moments in a candidate's training. None is 0.95 for pop, popfast, popmem-h,
    popmem-o; 0.999 for hemlgop, homlgop; 0.999 with preset paper for pop, popfast, popmem-h, popmem-o. Of pop,
    popfast, popmem-h, popmem-o, hemlgop, homlgop.
ema : float in [0, 1), default=0.0
    Decay rate of an exponential moving average of a candidate's weights (0.99 is usual); 0 does not average. Of
    pop, popfast, popmem-h, popmem-o, hemlgop, homlgop.
batch_size : int auto or in [2, 1048576], default=None
    Rows per gradient step; auto is 64, or 256 from 50,000 training rows on. None is auto for pop, popfast,
    popmem-h, popmem-o; 64 for hemlgop, homlgop, hemlrn, homlrn; 64 with preset paper for pop, popfast,
    popmem-h, popmem-o. Of pop, popfast, popmem-h, popmem-o, hemlgop, homlgop, hemlrn, homlrn.
dropout : float auto or in [0, 1), default=None
    Dropout rate on the output of hidden layers, including memory; auto is 0 for regression, 0.5 if there are
    more features than rows, else 0.2. None is auto for pop, popfast, popmem-h, popmem-o; 0.5 for hemlgop,
    homlgop, hemlrn, homlrn; 0.5 with preset paper for pop, popfast, popmem-h, popmem-o. Of pop, popfast,
    popmem-h, popmem-o, hemlgop, homlgop, hemlrn, homlrn.
input_dropout : float in [0, 1), default=0.0
    Dropout rate on the input features of the first layer. Of pop, popfast, popmem-h, popmem-o, hemlgop,
    homlgop, hemlrn, homlrn.
weight_decay : float in [0, 1000], default=0.0
    Penalty c*||W||^2 on hidden and output weights. Setting it turns max_norm off. Of pop, popfast, popmem-h,
    popmem-o, hemlgop, homlgop, hemlrn, homlrn.
max_norm : float in [0, 1000000000], default=None
    Largest norm of the incoming weights of a neuron; 0 turns it off. None is 2. Of pop, popfast, popmem-h,
    popmem-o, hemlgop, homlgop, hemlrn, homlrn.
label_smoothing : float in [0, 1), default=None
    Fraction of a label that is spread over all classes in training. None is 0.1 for pop, popfast, popmem-h,
    popmem-o; 0 for hemlgop, homlgop, hemlrn, homlrn; 0 with preset paper for pop, popfast, popmem-h, popmem-o.
    Of pop, popfast, popmem-h, popmem-o, hemlgop, homlgop, hemlrn, homlrn.
regulariser : {"given", "best_of_two"}, default=None
    given uses max_norm or weight_decay as set; best_of_two trains once with weight decay 1e-4 and once with
    max-norm 2 and keeps the better one on validation. None is given; best_of_two with preset paper. Of pop,
    popfast, popmem-h, popmem-o, hemlgop, homlgop, hemlrn, homlrn.
dropout_on_cached_input : bool, default=None
    Also apply dropout to the fixed inputs of layers after the first. None is false; true with preset paper. Of
    pop, popfast, popmem-h, popmem-o, hemlgop, homlgop.
epoch_patience : int in [0, 1000000], default=0
    Stop a candidate after this many epochs without improvement; 0 turns it off. Of pop, popfast, popmem-h,
    popmem-o, hemlgop, homlgop.
search : {"exhaustive", "halving"}, default=None
    exhaustive trains every operator set to the end, as the paper does. halving drops the worst two thirds of
    more than three sets after 1/27, 1/9 and 1/3 of the epochs; with upper_layers plain it drops one of the two
    candidates after 1/5. None is halving; exhaustive with preset paper. Of pop, popfast, popmem-h, popmem-o.
nodal : list of str, default=("multiplication", "exponential", "harmonic", "quadratic", "gaussian", "dog")
    Nodal operators to try. From multiplication, exponential, harmonic, quadratic, gaussian, dog. Of pop,
    popfast, popmem-h, popmem-o, hemlgop, homlgop, hemlrn, homlrn.
pool : list of str, default=("sum", "correlation1", "correlation2", "maximum")
    Pool operators to try. From sum, correlation1, correlation2, maximum. Of pop, popfast, popmem-h, popmem-o,
    hemlgop, homlgop, hemlrn, homlrn.
activation : list of str, default=("sigmoid", "tanh", "relu")
    Activation operators to try. From sigmoid, tanh, relu, softplus, inverse_absolute, elu. Of pop, popfast,
    popmem-h, popmem-o, hemlgop, homlgop, hemlrn, homlrn.
shared_draws : bool, default=True
    Start all candidates of a search from the same random numbers (paired comparison). Of pop, popfast,
    popmem-h, popmem-o, hemlgop, homlgop, hemlrn, homlrn.
finetune_epochs : int in [0, 1000000], default=None
    Epochs of fine-tuning the whole network, divided evenly among the finetune_lr stages. None is 0 for pop,
    popfast, popmem-h, popmem-o; 200 for hemlgop, homlgop, hemlrn, homlrn; 200 with preset paper for pop,
    popfast, popmem-h, popmem-o; 50 with preset fast for hemlgop, homlgop, hemlrn, homlrn. Of pop, popfast,
    popmem-h, popmem-o, hemlgop, homlgop, hemlrn, homlrn.
finetune_lr : list of float in [1e-12, 10], default=(0.0001, 1e-05)
    Learning rates of the fine-tuning stages. Of pop, popfast, popmem-h, popmem-o, hemlgop, homlgop, hemlrn,
    homlrn.
finetune_clip : float in [0, 1000000000], default=5.0
    Largest norm of the whole gradient in fine-tuning; 0 turns clipping off. Of pop, popfast, popmem-h,
    popmem-o, hemlgop, homlgop, hemlrn, homlrn.
ensemble : int auto or in [1, 72], default=None
    Number of networks in the average. Each of the best operator sets of one search grows a network. auto is 8;
    above 20,000 training rows it is 160,000 / rows, at least 3. Without given validation rows each network
    holds out a different part of the rows, unless there are many. None is auto; 1 with preset paper; 3 with
    preset fast. Of pop, popfast, popmem-h, popmem-o.
search_epochs : int auto or in [1, 1000000], default="auto"
    Epochs per candidate of the search that ranks the operator sets of an average. auto is 27, or 54 up to 1,500
    training rows, or 81 up to 1,000. Except for POP, the search ends as soon as no more sets are left than the
    average has networks. Of pop, popfast, popmem-h, popmem-o.
search_rows : int in [10, 1000000000], default=5000
    Largest number of rows that this search trains on, drawn at random. Of pop, popfast, popmem-h, popmem-o.
network_rows : int in [10, 1000000000], default=100000
    Largest number of rows that each network of an average trains on, drawn at random for each network. Of pop,
    popfast, popmem-h, popmem-o.
upper_layers : {"own", "plain"}, default="plain"
    Upper layers of the networks in an average: own uses the operator set of the first layer; plain also tries
    plain perceptrons (multiplication/sum/relu, if nodal, pool and activation allow them) and keeps the better
    one on validation after a fifth of the epochs (with search exhaustive, at the end). Of pop, popfast,
    popmem-h, popmem-o.
linear_member : bool, default=True
    Add a linear model to the average if that lowers the squared error on held-out rows by more than its
    standard error. Of pop, popfast, popmem-h, popmem-o.
memory : {"pca", "lda", "none"}, default="pca"
    Linear memory of a layer's input: principal components (pca), discriminant axes (lda) or none. Of popmem-h,
    popmem-o.
memory_energy : float in [0, 1], default=0.98
    Fraction of the variance that PCA keeps. Of popmem-h, popmem-o.
memory_reg : float in [0, 1000000], default=0.01
    Added to the diagonal of LDA's within-class covariance. Of popmem-h, popmem-o.
memory_reg_scale : {"trace", "absolute"}, default=None
    Whether memory_reg is relative to the mean variance or absolute (paper). None is trace; absolute with preset
    paper. Of popmem-h, popmem-o.
memory_prescale : {"standardize", "center"}, default=None
    Standardise features before fitting the projection, or only centre them (paper). None is standardize; center
    with preset paper. Of popmem-h, popmem-o.
memory_postscale : {"global", "std", "none"}, default=None
    Scale memory by one factor (mean variance 1), per axis, or not at all (paper). None is global; none with
    preset paper. Of popmem-h, popmem-o.
finetune_memory : bool, default=True
    Whether fine-tuning also updates the memory projections. Of popmem-h, popmem-o.
block_size : int in [1, 65536], default=None
    Number of neurons added at a time. None is 20 for hemlgop, homlgop, hemlrn, homlrn, bls, pln; 500 for s-elm.
    Of hemlgop, homlgop, hemlrn, homlrn, bls, s-elm, pln.
max_blocks : int in [1, 65536], default=None
    Largest number of blocks in a layer. None is 5 for hemlgop, homlgop, hemlrn, homlrn; 50 for bls, pln. Of
    hemlgop, homlgop, hemlrn, homlrn, bls, pln.
block_threshold : float in [0, 1], default=0.0001
    Smallest relative gain in the validation metric that keeps a new block. Otherwise the layer is complete. Of
    hemlgop, homlgop, hemlrn, homlrn, bls, pln.
max_layers : int in [1, 1024], default=None
    Largest number of layers. None is 4 for hemlgop, homlgop, hemlrn, homlrn; 30 for s-elm; 8 for pln. Of
    hemlgop, homlgop, hemlrn, homlrn, s-elm, pln.
ridge : float in [0, 1000000000], default=None
    Penalty c*||W||^2 on output weights found by least squares. None is 0.1 for hemlgop, homlgop, hemlrn,
    homlrn, s-elm; 0.001 for bls; 10 for pln. Of hemlgop, homlgop, hemlrn, homlrn, bls, s-elm, pln.
random_range : float in [0, 1000], default=None
    Random weights are uniform in [-r, r]; none uses, for each operator set, the smallest r that gives pooled
    values a standard deviation of 1.5. None is 6.283185307179586 with preset paper. Of hemlgop, homlgop,
    hemlrn, homlrn.
draws : int in [1, 1000], default=1
    Random draws per operator set; the best on validation is kept. Of hemlgop, homlgop, hemlrn, homlrn.
block_patience : int in [1, 1000], default=None
    Stop after this many blocks in a row without gain; blocks after the best are dropped. None is 10 for bls; 5
    for pln; 1 with preset paper. Of bls, pln.
on_stop : {"discard", "keep"}, default=None
    Whether to keep or drop the last nodes, which did not improve the network. None is discard; keep with preset
    paper. Of bls, s-elm, pln.
grid : {"none", "paper"}, default=None
    paper tries 0.001, 0.01, ... 1000 for ridge and the algorithm's other penalties and keeps the best on
    validation. Of bls, s-elm, pln.
l1 : float in [0, 1000000000], default=0.001
    Penalty mu*||W||_1 that makes the weights of feature nodes sparse. Of bls.
admm_rho : float in [0, 1000000000], default=None
    Penalty parameter of ADMM for sparse weights; 0 uses the geometric mean of the problem's eigenvalues. None
    is 0; 1 with preset paper. Of bls.
admm_iterations : int in [1, 1000000], default=500
    Largest number of ADMM iterations. Of bls, pln.
in_scale : {"auto", "none"}, default=None
    auto divides random weights by the square root of the number of inputs, and weights learned from them so
    that sums have a standard deviation of at most 1.5; none leaves both as published. None is auto; none with
    preset paper. Of bls, s-elm.
enhancement_scale : float in [0, 1000], default=None
    Largest input of an enhancement node in training; 0 does not scale the random sums. None is 0.8; 0 with
    preset paper. Of bls.
intercept : bool, default=None
    The output layer has a bias. None is true; false with preset paper. Of bls.
update : {"exact", "greville"}, default=None
    How output weights are updated for new nodes: exact ridge regression, or the published recursion, which only
    approximates it. None is exact; greville with preset paper. Of bls.
reduced_size : int in [1, 65536], default=500
    Largest number of axes that a layer passes to the next. Of s-elm.
autoencoder : bool, default=True
    New nodes take the weights of an extreme learning machine that reproduces its input; false leaves them
    random. Of s-elm.
pca_source : {"output", "hidden"}, default="output"
    Principal axes that reduce a layer: those of its output weights, completed by those of its features
    (published), or of its features alone. Of s-elm.
norm_bound : float in [0, 1000000000], default=None
    Bound on the output weights O of a layer: ||O||^2 <= norm_bound * 2 * outputs. none is 2, or 1 for
    regression. Below 1 the loss may rise. Of pln.
solver : {"exact", "admm"}, default=None
    Solver for bounded output weights: exact, or the published ADMM. None is exact; admm with preset paper. Of
    pln.
admm_mu : float in [1e-09, 1000000000], default=1.0
    Penalty parameter of ADMM for output weights. Of pln.
random_state : int | RandomState | Generator, default=None
    Another name of seed; a generator of NumPy draws one.
n_jobs : int, default=None
    Another name of threads; -1 is all cores.
"""

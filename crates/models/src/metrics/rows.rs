//! The rows of the table of metrics: a value, or a quantity with its statistics.

use super::metric::Metric;

/// Number of the metrics of all rows.
pub(super) const fn number(of: &[&[&Metric]]) -> usize {
    let (mut sum, mut row) = (0, 0);
    while row < of.len() {
        sum += of[row].len();
        row += 1;
    }
    sum
}

/// The metrics of all rows.
pub(super) const fn joined<const N: usize>(rows: &[&[&'static Metric]]) -> [&'static Metric; N] {
    let mut all = [rows[0][0]; N];
    let (mut row, mut first, mut number) = (0, 0, 0);
    while number < N {
        while number - first == rows[row].len() {
            (row, first) = (row + 1, number);
        }
        all[number] = rows[row][number - first];
        number += 1;
    }
    all
}

/// Makes the metrics, in a module for each kind of scope, and the list of all.
///
/// A row in `[]` is a metric, and makes a constant: its name, unit, kind, and denominator of a ratio. A
/// row in `()` is a quantity with its statistics, and makes a module with a constant for each:
/// `flow::delay::mean` is the metric `mean_delay`. Statistics word their meanings alike; the row has
/// the text of one that differs, in braces.
macro_rules! metrics {
    ($(
        $(#[$about:meta])*
        $scope:ident $module:ident {$(
            $name:ident $shape:tt $help:literal $({$($own:tt)*})?;
        )*}
    )*) => {
        $(
            $(#[$about])*
            // A constant has the name that results print.
            #[allow(non_upper_case_globals)]
            pub mod $module {
                #[allow(unused_imports)]
                use super::super::metric::{
                    Metric, MetricKind, QuantityMetrics, Ratio, ScopeKind, Statistic,
                };
                $(metrics! { @define $scope $name $shape $help {$($($own)*)?} })*
            }
        )*
        const ALL: &[&[&Metric]] = &[
            $($(metrics!(@listed $module $name $shape),)*)*
            Cause::METRICS,
        ];
    };
    (@listed $module:ident $name:ident [$($shape:tt)*]) => { &[$module::$name] };
    (@listed $module:ident $name:ident ($($shape:tt)*)) => { $module::$name::QUANTITY.metrics };
    (@define $scope:ident $name:ident [$unit:tt, $kind:ident $($ratio:tt)*] $help:literal {}) => {
        #[doc = $help]
        pub const $name: &Metric = &Metric {
            name: stringify!($name),
            scope: ScopeKind::$scope,
            unit: $unit,
            kind: MetricKind::$kind,
            ratio: metrics!(@ratio $($ratio)*),
            statistic: Statistic::Value,
            help: $help,
        };
    };
    (@define $scope:ident $name:ident ($unit:tt: $($statistic:ident $(over $over:ident)?),*)
        $help:literal $own:tt) => {
        #[doc = $help]
        pub mod $name {
            #[allow(unused_imports)]
            use super::*;
            $(metrics! { @statistic $statistic ($name $scope $unit $help $own ($(over $over)?)) })*
            /// The quantity, with its statistics.
            pub const QUANTITY: QuantityMetrics = QuantityMetrics {
                word: stringify!($name),
                metrics: &[$($statistic),*],
            };
        }
    };
    (@statistic last $row:tt) => {
        metrics! { @constant last "" Amount [Value] "" "" $row }
    };
    (@statistic mean $row:tt) => {
        metrics! { @constant mean "mean_" Amount [Mean] "mean " "" $row }
    };
    (@statistic median $row:tt) => {
        metrics! { @constant median "median_" Amount [Quantile(500)] "median " "" $row }
    };
    (@statistic p95 $row:tt) => {
        metrics! { @constant p95 "p95_" Amount [Quantile(950)] "95th percentile of the " "" $row }
    };
    (@statistic p99 $row:tt) => {
        metrics! { @constant p99 "p99_" Amount [Quantile(990)] "99th percentile of the " "" $row }
    };
    (@statistic p999 $row:tt) => {
        metrics! { @constant p999 "p999_" Amount [Quantile(999)] "99.9th percentile of the " "" $row }
    };
    (@statistic max ($name:ident $scope:ident "s" $($row:tt)*)) => {
        metrics! { @constant max "max_" Largest [Max] "longest "
            "; with batches, the mean of their maxima" ($name $scope "s" $($row)*) }
    };
    (@statistic max $row:tt) => {
        metrics! { @constant max "max_" Largest [Max] "largest "
            "; with batches, the mean of their maxima" $row }
    };
    (@constant $statistic:ident $prefix:literal $kind:ident [$($what:tt)*] $begin:literal
        $end:literal ($name:ident $scope:ident $unit:tt $help:literal $own:tt $over:tt)) => {
        #[doc = concat!(metrics!(@text $statistic $own $begin $help $over), $end)]
        pub const $statistic: &Metric = &Metric {
            name: concat!($prefix, stringify!($name)),
            scope: ScopeKind::$scope,
            unit: $unit,
            kind: MetricKind::$kind,
            ratio: metrics!(@ratio_of $over),
            statistic: Statistic::$($what)*,
            help: concat!(metrics!(@text $statistic $own $begin $help $over), $end),
        };
    };
    (@text last {last $text:literal $($own:tt)*} $($row:tt)*) => { $text };
    (@text mean {mean $text:literal $($own:tt)*} $($row:tt)*) => { $text };
    (@text max {max $text:literal $($own:tt)*} $($row:tt)*) => { $text };
    (@text $statistic:ident {$other:ident $text:literal $($own:tt)*} $($row:tt)*) => {
        metrics!(@text $statistic {$($own)*} $($row)*)
    };
    (@text $statistic:ident {} $begin:literal $help:literal (over time)) => {
        concat!($begin, $help, ", over time")
    };
    (@text $statistic:ident {} $begin:literal $help:literal $over:tt) => {
        concat!($begin, $help)
    };
    (@ratio_of ($($ratio:tt)*)) => { metrics!(@ratio $($ratio)*) };
    (@ratio) => { None };
    (@ratio over time) => { None };
    (@ratio over $over:ident) => {
        Some(Ratio { of: None, over: $over })
    };
    (@ratio of $of:ident over $over:ident) => {
        Some(Ratio { of: Some($of), over: $over })
    };
}

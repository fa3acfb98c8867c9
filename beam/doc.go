// Package parquetbeam runs a query as a pipeline of Apache Beam: on Flink, Spark, Dataflow or, on one
// machine, Prism.
//
//	beam.Init()
//	p, s := beam.NewPipelineWithRoot()
//	rows := parquetbeam.Query(s, "s3://bucket/sales", "SELECT region, SUM(amount) FROM orders GROUP BY region",
//		parquetbeam.Exchange("/mnt/shared/exchange"))
//
// The pipeline has a step for each stage of the query (package fragments), whose elements are the tasks.
// Tasks exchange rows through files in a folder that all workers see, not through the shuffle of the
// runner: what the runner runs twice, or again after a failure, counts once. The rows of the query are a
// PCollection of Row, without order: ORDER BY decides with LIMIT which rows they are.
//
// Workers plan again. They take keys and credentials from their own environment.
package parquetbeam

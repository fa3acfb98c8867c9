// Package fragments runs a query on several machines, for programs that have a scheduler of their own: a
// Kubernetes job, a queue, functions in a cloud.
//
// A query is cut into stages and these into tasks (see Plan). A Fragment says what one task does, as JSON:
// the statement and its arguments, where the files are, which splits of them the task reads, and the hash
// of the plan. It has no secrets and no memory of Go: a worker plans again, compares the hash, and takes
// keys and credentials from its own environment.
//
//	plan, err := fragments.New(ctx, fragments.Query{DSN: "s3://bucket/sales", SQL: "SELECT …"})
//	…
//	defer plan.Close()
//	// For each of plan.Fragments, once all of those that it depends on are done, somewhere:
//	//	worker.Run(ctx, fragment, store)
//	rows, err := plan.Rows(ctx, store) // the last stage runs here
//	…
//	err = fragments.Clean(ctx, store, plan.ID)
//
// Tasks exchange rows through a Store, a folder or a bucket that all of them see:
//
//	ID/3/7/rows-5f0c…      the rows of an attempt of task 7 of stage 3, as streams of Arrow's IPC
//	ID/3/7/manifest        which attempt counts, and where in its file each partition is
//
// Files are written once. An attempt counts from the moment when it has created the manifest, which only
// the first one can: so a task may run several times, also at the same time, and whoever reads it reads
// the rows of one attempt. What an attempt leaves that was killed counts for nothing, and Clean removes it.
package fragments

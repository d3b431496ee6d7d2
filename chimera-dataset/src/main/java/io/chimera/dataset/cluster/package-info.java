/** Jobs of a cluster: their record, the leader of a job, and its workers. */
package io.chimera.dataset.cluster;

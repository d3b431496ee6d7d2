/** Decisions about members: admission of peers, agreement of configurations, number of copies, and drain. */
package io.chimera.common.cluster.membership;

/** Access control: tokens, roles of HTTP routes, quotas, allowed addresses, the audit log. */
package io.chimera.common.access;

/** HTTP connections of a listener: requests with bounded bodies, and their answers. */
package io.chimera.common.channel.netty.http;

/** TCP connections of a listener: lines and their handler. */
package io.chimera.common.channel.netty.tcp;

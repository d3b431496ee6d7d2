/** What connects nodes with each other and with the world: framed connections with byte credits, HTTP, TCP and UDP ends. */
package io.chimera.common.channel;

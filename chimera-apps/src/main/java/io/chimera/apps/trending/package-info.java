/** Twitter trending: tweets for measurements and tests, and the ranking of their hashtags. */
package io.chimera.apps.trending;

package io.chimera.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that methods of the {@link HotPath} call rarely: once per connection, cycle or error, or when a buffer
 * grows. Such a method may allocate, log and lock. The test of the hot path ends its search here.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface ColdPath {}

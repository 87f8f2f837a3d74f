package org.firebirdcdc.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests of a real server: methods and constructors may take a {@link FirebirdServer} as parameter. All classes of a test
 * run share one. Where no server can be had the tests are skipped and the reason is given; if the environment variable
 * {@code CI} is {@code true} they fail.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("server")
@ExtendWith(FirebirdServerExtension.class)
public @interface WithFirebirdServer {}

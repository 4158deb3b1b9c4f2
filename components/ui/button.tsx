'use client';
import { LoaderCircle } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-styles';
import { Tooltip } from './tooltip';

interface Common {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Why it cannot be used now. It stays focusable and says so; a click does nothing. */
  reason?: string | undefined;
  icon?: ReactNode;
}

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & Common & { isBusy?: boolean };

/** A button that is never `disabled`: when off it is aria-disabled, keeps the focus and carries its reason. */
export function Button({
  variant,
  size,
  reason,
  icon,
  isBusy = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const isOff = reason !== undefined;
  const button = (
    <button
      {...rest}
      type={type}
      aria-disabled={isOff || isBusy ? true : undefined}
      aria-busy={isBusy || undefined}
      aria-describedby={isOff ? reasonId : rest['aria-describedby']}
      className={buttonClass({ variant, size, isOff, className })}
      onClick={(event) => {
        if (isOff || isBusy) {
          event.preventDefault();
          return;
        }
        onClick?.(event);
      }}
    >
      {isBusy ? <LoaderCircle aria-hidden className="size-3.5 animate-spin" /> : icon}
      {children}
      {isOff ? (
        // Hidden: it is the description, and must not become part of the name as well.
        <span id={reasonId} hidden>
          {reason}
        </span>
      ) : null}
    </button>
  );
  return isOff ? <Tooltip text={reason}>{button}</Tooltip> : button;
}

interface ButtonLinkProps extends Common {
  href: Route;
  className?: string;
  'aria-label'?: string;
  children?: ReactNode;
}

/** A link with the look of a button. Off: a link without a target that keeps the focus and says why. */
export function ButtonLink({ variant, size, reason, icon, className, children, href, ...rest }: ButtonLinkProps) {
  const reasonId = useId();
  if (reason === undefined) {
    return (
      <Link {...rest} href={href} className={buttonClass({ variant, size, className })}>
        {icon}
        {children}
      </Link>
    );
  }
  return (
    <Tooltip text={reason}>
      {/* biome-ignore lint/a11y: a link that is off keeps its role and its place in the tab order, so that its reason can be reached. */}
      <span
        {...rest}
        role="link"
        aria-disabled
        tabIndex={0}
        aria-describedby={reasonId}
        className={buttonClass({ variant, size, isOff: true, className })}
      >
        {icon}
        {children}
        <span id={reasonId} hidden>
          {reason}
        </span>
      </span>
    </Tooltip>
  );
}

/** A button that shows only an icon; `label` is its name and its tooltip. */
export function IconButton({
  label,
  icon,
  size = 'icon',
  variant = 'ghost',
  ...rest
}: Omit<ButtonProps, 'children'> & { label: string }) {
  const button = (
    <Button {...rest} size={size} variant={variant} aria-label={label}>
      {icon}
    </Button>
  );
  return rest.reason === undefined ? <Tooltip text={label}>{button}</Tooltip> : button;
}

import { type ComponentPropsWithoutRef, type ElementType, type MouseEvent, type ReactNode, useId } from 'react'
import './button.css'

export type ButtonVariant = 'filled' | 'outline' | 'ink' | 'quiet' | 'danger' | 'danger-quiet'
export type ButtonSize = 'normal' | 'small' | 'tiny'

interface ButtonStyle {
  /** `filled`: the one main action of its card or dialog */
  variant?: ButtonVariant
  /** 48, 44 or 34 px tall; the smallest has a touch target of 44 px */
  size?: ButtonSize
  full?: boolean
}

/** The classes of a button, for an element that this component does not render (a file label, a provider's button). */
export function buttonClass({ variant = 'filled', size = 'normal', full = false }: ButtonStyle = {}): string {
  return `btn btn-${variant}${size === 'normal' ? '' : ` btn-${size}`}${full ? ' btn-full' : ''}`
}

interface OwnProps extends ButtonStyle {
  /** in progress: shows a spinner, keeps its width, ignores clicks */
  loading?: boolean
  /** why it cannot be used now: shown under the button and read with it; the button stays focusable */
  reason?: string | null | undefined
  icon?: ReactNode
  className?: string
  children: ReactNode
}

export type ButtonProps<C extends ElementType = 'button'> = { as?: C } & OwnProps & Omit<ComponentPropsWithoutRef<C>, keyof OwnProps | 'as'>

/** A button, or a link in its style (`as="a"`, or the router's link). */
export function Button<C extends ElementType = 'button'>(props: ButtonProps<C>) {
  const { as, variant, size, full, loading = false, reason, icon, className = '', children, ...rest } = props as ButtonProps<ElementType>
  const reasonId = useId()
  const Tag: ElementType = as ?? 'button'
  const disabled = loading || Boolean(reason)
  const button = (
    <Tag
      {...(Tag === 'button' ? { type: 'button' } : {})}
      {...rest}
      className={`${buttonClass({ variant, size, full })} ${className}`}
      {...(disabled && {
        'aria-disabled': true,
        onClick: (event: MouseEvent) => event.preventDefault(),
      })}
      {...(loading && { 'aria-busy': true })}
      {...(reason && { 'aria-describedby': reasonId })}
    >
      <span className="btn-label">
        {icon}
        {children}
      </span>
    </Tag>
  )
  if (!reason) return button
  return (
    <span className="btn-why">
      {button}
      <span id={reasonId} className="small muted">
        {reason}
      </span>
    </span>
  )
}

export type IconButtonProps<C extends ElementType = 'button'> = {
  as?: C
  /** the accessible name, because an icon has no text */
  label: string
  /** without border, for bars and corners */
  bare?: boolean
  className?: string
  children: ReactNode
} & Omit<ComponentPropsWithoutRef<C>, 'as' | 'children' | 'className' | 'aria-label'>

/** A 44 px button with only an icon. */
export function IconButton<C extends ElementType = 'button'>(props: IconButtonProps<C>) {
  const { as, label, bare, className = '', children, ...rest } = props as IconButtonProps<ElementType>
  const Tag: ElementType = as ?? 'button'
  return (
    <Tag
      {...(Tag === 'button' ? { type: 'button' } : {})}
      {...rest}
      aria-label={label}
      className={`icon-btn ${bare ? 'icon-btn-bare' : ''} ${className}`}
    >
      {children}
    </Tag>
  )
}

import { Component, type ReactNode, Suspense } from 'react'

interface SectionBoundaryProps {
  /** what stands in place of a section that failed; nothing, unless the page would miss it */
  fallback?: ReactNode
  children: ReactNode
}

/**
 * A section of a public page: when it throws, it is left out and the page stands. On the server only a Suspense boundary catches what its
 * children throw (web/entry.server.tsx logs it); in the browser this component does.
 */
export class SectionBoundary extends Component<SectionBoundaryProps> {
  override state: { failed?: true } = {}
  static getDerivedStateFromError() {
    return { failed: true }
  }
  override render() {
    return this.state.failed ? this.props.fallback : <Suspense {...this.props} />
  }
}

import { Component, type ReactNode, Suspense } from 'react'

interface SectionBoundaryProps {
  /** rendered in place of a failed section; nothing by default */
  fallback?: ReactNode
  children: ReactNode
}

/**
 * A section of a public page: if it throws, it is left out and the rest of the page is rendered. On the server only a Suspense boundary
 * catches errors of its children (web/entry.server.tsx logs them); in the browser this component does.
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

import { Component, type ComponentChildren, h } from 'preact';

/** Draws a component only if one of its properties changed. */
export const memo = <Props extends object>(draw: (props: Props) => ComponentChildren) =>
  class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return Object.entries(next).some(([name, value]) => (this.props as Record<string, unknown>)[name] !== value);
    }
    override render(props: Props): ComponentChildren {
      return h(draw as never, props as never);
    }
  };

import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import type { ToolOutput } from "../tool.ts";

/** The text of an MCP result. Of binary content the model learns kind and size only. */
export function outputOf({ content = [], structuredContent, isError }: CallToolResult): ToolOutput {
  const texts = content.map(textOf).filter((text) => text !== "");
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent));
  return { text: texts.join("\n"), ...(isError && { isError }) };
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text.includes("\0") ? binary("text", block.text) : block.text;
    case "image":
    case "audio":
      return binary(block.mimeType, block.data);
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return `${resource.uri}\n${resource.text}`;
      return `${resource.uri} ${binary(resource.mimeType ?? "binary", resource.blob)}`;
    }
    case "resource_link":
      return `${block.uri} ${block.description ?? block.name}`;
    default:
      return "";
  }
}

function binary(mediaType: string, { length }: string): string {
  return `[${mediaType}, ${length} characters of binary content, not shown]`;
}

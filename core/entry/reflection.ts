// Server reflection: shows the holder of a service token the services of core, from the descriptors of the protos.
import type * as grpc from "@grpc/grpc-js";
import type { PackageDefinition } from "@grpc/proto-loader";
import { ReflectionService } from "@grpc/reflection";
import { describeProtos } from "../../proto/descriptors.ts";

type Stream = grpc.ServerDuplexStream<object, object>;

/** `admit` rejects with the answer for a caller who may not look. */
export function addReflection(
  server: Pick<grpc.Server, "addService">,
  admit: (metadata: grpc.Metadata) => Promise<void>,
): void {
  const answers = buildOnce();
  // With an empty set it answers which services exist, without their types.
  const nothing = {} as PackageDefinition;
  new ReflectionService(nothing).addToServer({
    addService: (service) =>
      server.addService(service, {
        ServerReflectionInfo: (stream: Stream) => {
          admit(stream.metadata).then(
            () => answers(service)(stream),
            (status: unknown) => stream.emit("error", status),
          );
        },
      }),
  });
}

type Answer = (stream: Stream) => void;

/** Reading all descriptors takes a third of a second. The start does not wait for that: it happens at the first request. */
function buildOnce(): (service: grpc.ServiceDefinition) => Answer {
  let built: Map<string, Answer> | undefined;
  const nameOf = ({ ServerReflectionInfo: method }: grpc.ServiceDefinition) => method?.path ?? "";
  const build = (): Map<string, Answer> => {
    const found = new Map<string, Answer>();
    // This is all that the service reads of a definition.
    const definition = {
      atelier: { fileDescriptorProtos: describeProtos() },
    } as unknown as PackageDefinition;
    new ReflectionService(definition).addToServer({
      addService: (service, { ServerReflectionInfo: answer }) =>
        void found.set(nameOf(service), answer as Answer),
    });
    return found;
  };
  return (service) => {
    built ??= build();
    const answer = built.get(nameOf(service));
    if (!answer) throw new Error(`reflection has no answers for ${nameOf(service)}`);
    return answer;
  };
}
